import type { RequestListener } from 'node:http';
import { quoteText } from '../memory/shown-text.ts';

/**
 * The listener of a socket before a service that thinks in whole addresses. A `Host` or a target of
 * which no address can be made would be answered with 500 and a stack trace, before any plugin of the
 * service is asked.
 */
export function toListener(service: RequestListener): RequestListener {
  return (request, response) => {
    const fault = faultOf(request.headers.host || 'localhost', request.url ?? '/');
    if (fault === null) {
      service(request, response);
      return;
    }
    // The body is not read, so the connection cannot serve another request.
    response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
    const extensions = { code: 'BAD_REQUEST' };
    response.end(JSON.stringify({ errors: [{ message: fault, extensions }] }));
  };
}

function faultOf(host: string, target: string): string | null {
  if (!URL.canParse(`http://${host}`)) {
    return `Host: expected a name and perhaps a port, but got ${quoteText(host)}.`;
  }
  if (URL.canParse(`http://${host}${target}`)) return null;
  return `Target: expected a path, but got ${quoteText(target)}.`;
}
