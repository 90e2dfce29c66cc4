import type { ActionsBlock, Button, ConfirmationDialog } from '@slack/types';
import { limits } from './limits.ts';
import { plain } from './rich.ts';

interface ButtonParts {
  text: string;
  action: string;
  value: string;
  style?: 'primary' | 'danger';
  confirm?: ConfirmationDialog;
}

/** @param value an id or two of ours; never text from outside */
export const button = ({ text, action, value, style, confirm }: ButtonParts): Button => ({
  type: 'button',
  text: plain(text, limits.buttonText),
  action_id: action,
  value,
  ...(style === undefined ? {} : { style }),
  ...(confirm === undefined ? {} : { confirm }),
});

/** Without a block id: an updated message needs new ones, Slack gives them. */
export const buttonRow = (...elements: Button[]): ActionsBlock => ({
  type: 'actions',
  elements,
});
