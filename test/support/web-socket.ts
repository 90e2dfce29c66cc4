import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a web socket (RFC 6455), as much of it as Socket Mode needs: text both ways, pings, closing. */
export interface ServerSocket {
  send: (text: string) => void;
  onText: (listener: (text: string) => void) => void;
  close: () => void;
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0]), u32(length)]);
  return Buffer.concat([head, payload]);
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

/** One whole frame at the beginning of the bytes, or null where there is none yet. */
function readFrame(bytes: Buffer): { opcode: number; isLast: boolean; payload: Buffer; rest: Buffer } | null {
  if (bytes.length < 2) return null;
  const [first = 0, second = 0] = bytes;
  const short = second & 127;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < at + 4) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? bytes.readUInt32BE(6) : short;
  if (bytes.length < at + 4 + length) return null;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
  for (let index = 0; index < length; index++)
    payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { opcode: first & 15, isLast: (first & 128) !== 0, payload, rest: bytes.subarray(at + 4 + length) };
}

/** Accepts an upgrade request. */
export function acceptSocket(request: IncomingMessage, wire: Duplex): ServerSocket {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}${MAGIC}`)
    .digest('base64');
  wire.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const events = new EventEmitter();
  let bytes: Buffer = Buffer.alloc(0);
  let text = '';
  wire.on('error', () => {});
  wire.on('end', () => wire.end());
  wire.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let read = readFrame(bytes); read !== null; read = readFrame(bytes)) {
      bytes = read.rest;
      if (read.opcode === PING) wire.write(frame(PONG, read.payload));
      if (read.opcode === CLOSE) wire.end(frame(CLOSE, read.payload));
      if (read.opcode > TEXT) continue;
      text += read.payload.toString('utf8');
      if (!read.isLast) continue;
      events.emit('text', text);
      text = '';
    }
  });
  return {
    send: (message) => wire.write(frame(TEXT, Buffer.from(message))),
    onText: (listener) => events.on('text', listener),
    close: () => wire.destroy(),
  };
}
