/** Version of this host, written into every journal. Compared with package.json by a test. */
export const HOST_VERSION = '0.1.0';
