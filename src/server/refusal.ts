/** An answer in the form of GraphQL to a request that is none, or not for us. */
export function refusal(status: number, code: string, message: string): Response {
  return Response.json({ errors: [{ message, extensions: { code } }] }, { status });
}
