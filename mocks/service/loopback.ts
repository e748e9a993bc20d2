// Which hosts are this machine, and how to call a server on it.

/** Whether a host, as in a URL or as an address to listen on, is this machine alone. */
export const isLoopback = (host: string): boolean =>
  /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host);

/** The address to call from this machine, of a server that listens on any of its addresses. */
export const onThisMachine = (url: string): string =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
