import type { PublishHome } from './home.ts';
import type { ActionBody } from './payloads.ts';

/** Shows anew the lists that somebody has voted in: App Home. */
export type ShowLists = (body: ActionBody) => Promise<void>;

export const createShowLists =
  (publishHome: PublishHome): ShowLists =>
  async ({ view, user }) => {
    if (view?.type === 'home') await publishHome(user.id);
  };
