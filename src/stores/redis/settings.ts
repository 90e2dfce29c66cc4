import * as z from 'zod';
import type { ChannelSettingsStore } from '../../labels/channel-settings.ts';
import { ChannelSettings, noSettings } from '../../labels/channel-settings.ts';
import { parseStoredJson } from '../parse-stored.ts';
import type { Connection } from './connect.ts';
import type { Keys } from './keys.ts';

export const redisSettings = (connection: Connection, keys: Keys): ChannelSettingsStore => ({
  channelSettings: async (channel) => {
    const text = await connection.command(z.string().nullable(), 'GET', keys.settings(channel));
    return text === null ? noSettings : parseStoredJson(ChannelSettings, text, 'settings of a channel');
  },
  saveChannelSettings: async (channel, settings) => {
    await connection.command(z.literal('OK'), 'SET', keys.settings(channel), JSON.stringify(settings));
  },
});
