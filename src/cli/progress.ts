import { SingleBar } from 'cli-progress';

export type Progress = {
  readonly update: (done: number) => void;
  /** Takes the bar away. Safe to repeat. */
  readonly stop: () => void;
};

/** A bar on stderr while it is a terminal, else nothing. `total` 0 counts up without an end. */
export function startProgress(what: string, unit: string, total = 0): Progress {
  const of = total > 0 ? '{value} of {total}' : '{value}';
  const bar = new SingleBar({
    format: `${what} |{bar}| ${of} ${unit}, {duration_formatted}`,
    stream: process.stderr,
    noTTYOutput: false,
    clearOnComplete: true,
  });
  if (process.stderr.isTTY) bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
