// A decision is seen nine times, challenged, found wrong and replaced; then it is read at four instants.
// Run it against a server of your own: node examples/belief-over-time.mjs [http://localhost:4000/graphql]
// It writes into a project of its own, named belief-<time>.
import { pathToFileURL } from 'node:url';

const READ = `query ($project: String!, $asOf: AsOfInput!) {
  page(project: $project, path: "decisions/session-store", asOf: $asOf) {
    status
    confidence { value distinctSessions unresolvedContradictions }
    disputes { edges { resolution from { path } } }
    supersededBy { nodes { path } }
  }
  recall(input: {
    project: $project, text: "Where do shopping sessions live?", ranking: "contradictions"
    includeSuperseded: true, asOf: $asOf
  }) {
    hits { page { path } explain { authority { value cap { name } } } }
  }
}`;

/** Tells the story. `ask` sends one operation and answers its data. Gives what was read, by instant. */
export async function beliefOverTime(ask, project) {
  const page = (input, session = null) =>
    ask(
      `mutation ($input: WritePageInput!) { writePage(input: $input) {
        ... on WritePageSuccess { page { id disputes { edges { id } } } }
        ... on Failure { code message } } }`,
      { input: { project, page: input, ...(session && { session }) } },
    );
  await ask('mutation ($name: String!) { createProject(input: { name: $name }) { __typename } }', {
    name: project,
  });

  await page({
    path: 'decisions/session-store',
    kind: 'DECISION',
    title: 'Sessions live in Redis',
    body: 'Shopping sessions are kept in Redis, for a day.',
  });
  for (let day = 1; day <= 9; day++) await observe(ask, project, day);
  const seen = await instant();

  await page({
    path: 'findings/carts-lost',
    kind: 'PROBLEM',
    title: 'Carts are lost when Redis restarts',
    body: '- contradicts [[decisions/session-store]]\n\nRedis keeps nothing over a restart.',
  });
  const challenged = await instant();

  const { page: decision } = await ask(
    `query ($project: String!) { page(project: $project, path: "decisions/session-store") {
      disputes { edges { id } } } }`,
    { project },
  );
  await ask(
    `mutation ($edge: ID!) { resolveContradiction(
      input: { edge: $edge, outcome: UPHELD, note: "Seen twice in staging." }
    ) { __typename } }`,
    { edge: decision.disputes.edges[0].id },
  );
  const resolved = await instant();

  await page({
    path: 'decisions/session-store-2',
    kind: 'DECISION',
    title: 'Sessions live in Postgres',
    body: '- supersedes [[decisions/session-store]]\n\nShopping sessions are kept in Postgres, for a day.',
  });
  const replaced = await instant();

  const read = async (recordedAt) => summary(await ask(READ, { project, asOf: { recordedAt } }));
  return {
    'seen nine times': await read(seen),
    challenged: await read(challenged),
    'found wrong': await read(resolved),
    replaced: await read(replaced),
  };
}

async function observe(ask, project, day) {
  const { startSession } = await ask(
    `mutation ($input: StartSessionInput!) { startSession(input: $input) {
      ... on StartSessionSuccess { session { id } } } }`,
    { input: { project, agent: 'claude', task: `Look at the cart, day ${day}` } },
  );
  await ask(
    `mutation ($session: ID!) {
      recordObservation(input: {
        session: $session, text: "The cart was read from Redis.", importance: 5
        about: [{ path: "decisions/session-store" }]
      }) { __typename }
      endSession(input: { session: $session }) { __typename }
    }`,
    { session: startSession.session.id },
  );
}

/** An instant with nothing else in its millisecond. */
async function instant() {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const now = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return now;
}

function summary({ page, recall }) {
  const own = recall.hits.find((hit) => hit.page.path === 'decisions/session-store');
  return {
    status: page.status,
    confidence: Number(page.confidence.value.toFixed(2)),
    authority: own.explain.authority.value,
    cap: own.explain.authority.cap?.name ?? null,
    disputedBy: page.disputes.edges.map(({ from, resolution }) => `${from.path}, ${resolution}`),
    supersededBy: page.supersededBy.nodes.map(({ path }) => path),
    firstHit: recall.hits[0].page.path,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const url = process.argv[2] ?? 'http://localhost:4000/graphql';
  const ask = async (query, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors) throw new Error(errors[0].message);
    return data;
  };
  const read = await beliefOverTime(ask, `belief-${Date.now()}`);
  process.stdout.write(`${JSON.stringify(read, null, 2)}\n`);
}
