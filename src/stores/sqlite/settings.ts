import * as z from 'zod';
import type { ChannelSettingsStore } from '../../labels/channel-settings.ts';
import { ChannelSettings, noSettings } from '../../labels/channel-settings.ts';
import { parseStoredJson } from '../parse-stored.ts';
import type { Database } from './open-database.ts';

const SettingsRow = z.object({ settings: z.string() });

export const sqliteSettings = (database: Database): ChannelSettingsStore => ({
  channelSettings: (channel) =>
    database.read(() => {
      const row = database.row(
        SettingsRow,
        'SELECT settings FROM channel_settings WHERE channel = ?',
        channel,
      );
      return row === null
        ? noSettings
        : parseStoredJson(ChannelSettings, row.settings, 'settings of a channel');
    }),
  saveChannelSettings: async (channel, settings) => {
    await database.write(() =>
      database.run(
        'INSERT OR REPLACE INTO channel_settings VALUES (?, ?)',
        channel,
        JSON.stringify(settings),
      ),
    );
  },
});
