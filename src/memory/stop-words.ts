/**
 * Words that say nothing about what is asked, removed from queries and never from
 * the index. Folded, before stemming.
 *
 * Left out on purpose, because they are also names, acronyms or plain nouns that
 * people ask for: may (the month), us, user, need, new, first, last, down.
 */
const ENGLISH = `
  a an the this that these those there here
  i me my mine myself we our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  am is are was were be been being have has had having do does did doing done
  will would shall should can could might must
  what which who whom whose when where why how
  and or but nor not no if then else than so because while until although though
  of at by for from in into on onto off to with without about against between among
  through during before after above below over under up out again
  all any both each few more most other some such only own too very just also
  as ever please tell
  aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt shant
  shouldnt wasnt werent wont wouldnt youre theyre whats thats
`;

/**
 * Function words of other languages that are no English word, name, command or
 * acronym: so not `son`, `die`, `du`, `dos`, `nas`, `mit`, `fur` (für), `plus`.
 */
const PORTUGUESE = `
  que qual quais quem quando onde porque uma umas pelo pela pelos pelas nao esta estao
  seu sua seus suas dele dela isso isto esse essa aquele aquela foi mais muito voce para
`;
const GERMAN = `
  der das ist sind und oder nicht ein eine einer eines einem einen welche welcher welches
  wann warum wieso weshalb woher wohin wird werden wurde wurden haben hatte hatten
  ich wir ihr euch mich dich von zum zur nach unter
`;
const SPANISH = `
  el cual cuales quien quienes cuando donde como una unas unos por pero
  este estos estas ese esos eso fue
`;
const FRENCH = `
  les une qui quoi quand pourquoi quel quelle quels quelles dans avec cette ces cet
  elle elles nous vous leur leurs etait sont
`;

/** All stop words of every language. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [ENGLISH, PORTUGUESE, GERMAN, SPANISH, FRENCH].flatMap((words) => words.trim().split(/\s+/)),
);
