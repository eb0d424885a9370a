// projection_take_turn: locks the watermark of a tenant until the transaction ends, and tells it.
//
// $a.tenant  String
//
// Row: { sequence Integer, generation Integer, building Integer or null }
//   building  the generation that is being made beside the one that is read
// Index: constraint projection_tenant_unique.
MERGE (live:Projection {tenant: $a.tenant})
  ON CREATE SET live.generation = 1, live.sequence = 0, live.turns = 0
SET live.turns = live.turns + 1
WITH live
RETURN live.sequence AS sequence, live.generation AS generation, live.building AS building
