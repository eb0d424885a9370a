// Each page once in a generation, so that MERGE cannot make two. The tenant comes first, as in
// every key; the generation, since a rebuild makes a second one beside that which is read.
CREATE CONSTRAINT page_id_unique IF NOT EXISTS
FOR (p:Page) REQUIRE (p.tenant, p.generation, p.id) IS UNIQUE
