import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import * as z from 'zod';

const UPLOAD_MS = 10_000;
/** Slack takes a moment to look at a picture, and refuses messages with it before. */
const LOOKS = 10;
const LOOK_MS = 500;

const Slot = z.object({ upload_url: z.url(), file_id: z.string() });
const Looked = z.object({ file: z.object({ mimetype: z.string().optional() }) });

/** Whether Slack knows by now that it is a picture. */
async function isReady(client: WebClient, file: string): Promise<boolean> {
  const looked = Looked.safeParse(await client.files.info({ file }));
  return looked.success && (looked.data.file.mimetype ?? '') !== '';
}

/**
 * Uploads a PNG that is shown nowhere until a message has it: doing so twice leaves a file that nobody sees.
 *
 * @returns its id, for an image block's `slack_file`
 * @throws where Slack refuses it, such as without the scope `files:write`
 */
export async function uploadPicture(
  client: WebClient,
  picture: Uint8Array,
  { name, title }: { name: string; title: string },
): Promise<string> {
  const slot = await client.files.getUploadURLExternal({ filename: name, length: picture.byteLength });
  const { upload_url: url, file_id: id } = Slot.parse(slot);
  const sent = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Uint8Array.from(picture),
    signal: AbortSignal.timeout(UPLOAD_MS),
  });
  if (!sent.ok) throw new Error(`Slack does not take the picture (status ${sent.status})`);
  await client.files.completeUploadExternal({ files: [{ id, title }] });
  for (let look = 0; look < LOOKS && !(await isReady(client, id)); look += 1) await sleep(LOOK_MS);
  return id;
}
