// Which hosts are this machine.

/** Whether a host, as in a URL or as an address to listen on, is this machine alone. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host);
