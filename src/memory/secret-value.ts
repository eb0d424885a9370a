/** What a name that a value is given under says of it: a password may be any word, a key is random. */
export type SecretSort = 'PASSWORD' | 'KEY';

export type Assigned = {
  readonly sort: SecretSort;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Where values are written for machines: in quotes, as `NAME=value`, after a flag. Else it may be prose. */
  readonly isForMachines: boolean;
  /** Whether name and value have the line to themselves, as in YAML. */
  readonly isAlone: boolean;
  /** Whether a bare value is followed as arguments of a call are: by a comma or a bracket. */
  readonly isArgument: boolean;
};

/** Shorter values under the name of a key are codes and counts. */
const MIN_KEY_LENGTH = 8;
/** A random value of this length is a key even in the middle of a sentence. */
const MIN_LENGTH_IN_PROSE = 10;
/** A password without digits and signs is told from a word of prose by its length. */
const MIN_WORD_LENGTH = 8;
/** As much of a value as tells its sort, UTF-16 units. */
const MAX_JUDGED = 256;
/** A letters-only value of one word, under the name of a key and written for machines. */
const MIN_KEY_WORD_LENGTH = 12;

/** Values that speak of a secret and are none. */
const NO_SECRETS = new Set(
  `any bool boolean bytes changed char disabled empty enabled encrypted expired false forgotten hashed
  hidden id incorrect int integer invalid masked missing nil no none null number optional protected
  redacted required reset rotated str string text true undefined unknown unset varchar wrong yes`.split(
    /\s+/u,
  ),
);
const SECRET_WORD = /pass(?:word|wd|phrase)?|pwd|secret|token|key|credential/iu;
const IS_SECRET_WORD = /^(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|credential)s?$/iu;
const ALGORITHM = /^(?:argon|base|bcrypt|ed|es|hs|md|oauth|p|pbkdf|ps|rs|sha|tls|totp|utf|v)-?\d/iu;
const SENTENCE =
  / (?:a|an|and|are|at|be|by|can|for|from|has|if|in|is|it|its|must|not|of|on|or|that|the|this|to|was|will|with|you|your) /iu;

/** Whether a value that stands under the name of a secret is one, and not a word about it. */
export function isSecretValue({
  sort,
  isQuoted,
  isForMachines,
  isAlone,
  isArgument,
  ...rest
}: Assigned) {
  const value = isQuoted ? rest.value : rest.value.replace(/[\])};,.!?]{1,8}$/u, '');
  if (value.length < 2 || isReference(value, isQuoted)) return false;
  if (NO_SECRETS.has(value.toLowerCase()) || ALGORITHM.test(value)) return false;
  const hasDigit = /\d/u.test(value);
  const isPlain = isWordy(value);
  if (isPlain && !hasDigit && isOfSecretWords(value)) return false;

  if (sort === 'KEY') {
    if (value.length < MIN_KEY_LENGTH || /\s/u.test(value)) return false;
    if (!isPlain) return isForMachines || isAlone || value.length >= MIN_LENGTH_IN_PROSE;
    if (!isForMachines || /[^\p{L}\d]/u.test(value)) return false;
    return hasDigit ? /\p{L}/u.test(value) : !isQuoted && value.length >= MIN_KEY_WORD_LENGTH;
  }
  if (/\s/u.test(value)) return !SENTENCE.test(` ${value} `);
  if (isForMachines) {
    // `connect(user=user, password=word)` passes a variable on.
    return isQuoted || hasDigit || !isPlain || !isArgument;
  }
  if (hasDigit) return value.length >= 4;
  if (/[!@$%^&+=?~#]/u.test(value)) return value.length >= 6;
  return isAlone && value.length >= MIN_WORD_LENGTH && isPlain;
}

/**
 * Whether a text reads like words and small numbers (`risk-assessment-framework-v2`), and not like
 * something drawn at random. The beginning decides: a megabyte of words is not worth reading.
 */
export function isWordy(text: string): boolean {
  return text
    .slice(0, MAX_JUDGED)
    .split(/[-_./:@+\s]/u)
    .every((part) => {
      if (!/^(?:\p{L}{0,17}\d{0,4}|\d{5,8})$/u.test(part)) return false;
      return part.length < 12 || (part.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0) <= 3;
    });
}

/** A variable, a template, code, a mask, a path or an address: it names the secret, or hides it. */
function isReference(value: string, isQuoted: boolean): boolean {
  if (/^\[REDACTED:[a-z_]{1,40}\]?$/u.test(value)) return true;
  if (/^(?:[$#]\{|\{\{|\$\(|<|%\w{1,64}%$|%s$)/u.test(value)) return true;
  if (/^\$(?:[A-Z_][A-Z0-9_]*|[a-z_.]+|\d+)$/u.test(value)) return true;
  if (/^[*•xX.…_#?-]+$/u.test(value) || value.includes('://')) return true;
  if (/^(?:\.{0,2}|~)\//u.test(value) && isWordy(value)) return true;
  if (/^\{.*\}$|^\[.*\]$/u.test(value)) return true;
  if (isQuoted) return false;
  if (/^[{[(<=:>|\\]/u.test(value) || /^[^(]{0,256}[\w$]\(/u.test(value)) return true;
  if (/^(?:arn|op|vault|file|env):/u.test(value)) return true;
  return !/\d/u.test(value) && /^[\p{L}_$][\p{L}_$]*(?:\.[\p{L}_$]+|\[)+\]?$/u.test(value);
}

/** `password`, `your-token`, `getPassword`, `user.secret`; but `supersecret` is a poor password. */
function isOfSecretWords(value: string): boolean {
  if (IS_SECRET_WORD.test(value)) return true;
  return SECRET_WORD.test(value) && /[-_./:@+]|\p{Ll}\p{Lu}/u.test(value);
}
