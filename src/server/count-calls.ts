import type { Stores } from '../memory/stores.ts';

/** The same stores; `onCall` hears of each call of one, and stops it by throwing. Encoder and model are no stores. */
export function countCalls(stores: Stores, onCall: () => void): Stores {
  return {
    ...stores,
    projects: heard(stores.projects, onCall),
    pages: heard(stores.pages, onCall),
    writer: heard(stores.writer, onCall),
    sessions: heard(stores.sessions, onCall),
    people: heard(stores.people, onCall),
    graph: heard(stores.graph, onCall),
    recall: heard(stores.recall, onCall),
    changes: heard(stores.changes, onCall),
    lints: heard(stores.lints, onCall),
    briefings: heard(stores.briefings, onCall),
    statuses: heard(stores.statuses, onCall),
    reflections: heard(stores.reflections, onCall),
  };
}

function heard<Store extends object>(store: Store, onCall: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        onCall();
        return Reflect.apply(member, target, args);
      };
    },
  });
}
