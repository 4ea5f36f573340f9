/** The least that a link to a Firmata board has: its port, its device and its tiles. */
export const LEAST_FIRMATA = {
  path: '/dev/ttyUSB0',
  device: '0f1a7a01',
  tiles: [
    { tile: 0, hall: 'A0', contact: 2 },
    { tile: 1, hall: 'A1', contact: 3 },
  ],
};
