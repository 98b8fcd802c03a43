import { Action, Actions } from "../../parts/action.js";
import { Section } from "../../parts/page.js";
import { Countdown, ObjectLink, Time } from "../../parts/values.js";
import { texts } from "../../state/language.js";

/** What becomes available by itself, with a jump of the clock to each release. */

const words = texts("wallets");

interface Release {
  readonly at: string;
  readonly subject: string;
  readonly text: string;
}

function Releases({ releases }: { releases: readonly Release[] }) {
  return (
    <Actions>
      <ul class="plain lines">
        {releases.map(({ at, subject, text }) => (
          <li key={`${at} ${subject}`}>
            <span>
              <Time at={at} /> (<Countdown to={at} />)
            </span>
            <span>{text}</span> <ObjectLink id={subject} />
            <Action
              id="sandbox.clock.advance"
              label={words.value.jump}
              kind="small"
              input={{ body: { to: at } }}
              done={() => words.value.jumped}
            />
          </li>
        ))}
      </ul>
    </Actions>
  );
}

export function Holds({ due }: { due: readonly (Release & { readonly kind: string })[] }) {
  const releases = due.filter(({ kind }) => kind === "wallet.release");
  return (
    <Section title={words.value.holds}>
      {releases.length === 0 ? <p class="hint">{words.value.no_holds}</p> : <Releases releases={releases} />}
    </Section>
  );
}
