import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Longest remaining-length field of an MQTT packet, bytes (MQTT 3.1.1, 2.2.3). */
const LENGTH_FIELD_BYTES = 4;

/**
 * Follows the packet borders of one direction of an MQTT connection and tells the length of a packet as soon as its
 * fixed header is known, long before the body has come.
 */
export function packetBorders(): { look(chunk: Buffer): number } {
  let bodyLeft = 0;
  let inLength = false;
  let length = 0;
  let lengthBytes = 0;
  return {
    /** Largest packet body announced in this chunk, bytes; Infinity when the bytes are no MQTT. */
    look(chunk) {
      let largest = 0;
      let at = 0;
      while (at < chunk.length) {
        if (bodyLeft > 0) {
          const skipped = Math.min(bodyLeft, chunk.length - at);
          bodyLeft -= skipped;
          at += skipped;
        } else if (!inLength) {
          inLength = true;
          length = 0;
          lengthBytes = 0;
          at++;
        } else {
          const byte = chunk[at] ?? 0;
          length += (byte & 0x7f) << (7 * lengthBytes);
          lengthBytes++;
          at++;
          if ((byte & 0x80) === 0) {
            inLength = false;
            bodyLeft = length;
            largest = Math.max(largest, length);
          } else if (lengthBytes === LENGTH_FIELD_BYTES) {
            return Number.POSITIVE_INFINITY;
          }
        }
      }
      return largest;
    },
  };
}

/**
 * A socket that is cut as soon as its peer announces a packet larger than `limit` bytes; `onOver` is told its size.
 * What was sent before still arrives.
 */
export function boundedSocket(socket: Socket, limit: number, onOver: (bytes: number) => void): Duplex {
  const borders = packetBorders();
  const bounded = new Duplex({
    allowHalfOpen: false,
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (socket.write(chunk)) done();
      else whenDrained(socket, done);
    },
    writev: (chunks, done) => {
      if (socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)))) done();
      else whenDrained(socket, done);
    },
    final: (done) => {
      socket.end();
      done();
    },
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    const largest = borders.look(chunk);
    if (largest > limit) {
      onOver(largest);
      bounded.destroy();
    } else if (!bounded.push(chunk)) {
      socket.pause();
    }
  });
  socket.on('end', () => bounded.push(null));
  socket.on('close', () => bounded.destroy());
  socket.on('error', (error) => bounded.destroy(error));
  return bounded;
}

function whenDrained(socket: Socket, done: () => void): void {
  const go = (): void => {
    socket.off('drain', go);
    socket.off('close', go);
    done();
  };
  socket.on('drain', go);
  socket.on('close', go);
}
