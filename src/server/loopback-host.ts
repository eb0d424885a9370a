/** Names that no name server answers for, so that no website can point them at this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/**
 * Whether a request asks for this machine by a name of the loopback. A website may point a name of
 * its own at 127.0.0.1, and its scripts would then be of one origin with us; but their requests carry
 * that name.
 */
export function asksLoopback(request: Request): boolean {
  return isLoopback(hostOf(request));
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** The name that the request was sent to, without its port; the URL says it where no header does. */
export function hostOf(request: Request): string {
  const header = request.headers.get('host');
  return header === null
    ? new URL(request.url).hostname
    : header.replace(/:\d*$/u, '').toLowerCase();
}
