// Recognises hosts that are this machine, and builds URLs to call a server on it.

/** Whether a host, from a URL or to listen on, can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host);

/** Returns the URL by which this machine calls a server that listens on all addresses. */
export const onThisMachine = (url: string): string =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
