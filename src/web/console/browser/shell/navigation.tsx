import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Icon } from "../parts/icon.js";
import { withBook } from "../state/book.js";
import { terms, texts } from "../state/language.js";
import { Badge, isBadge, useBadges } from "./badges.js";
import { groupWords, MENU, MENU_GROUPS, type MenuGroup, type MenuName, menuWords } from "./menu.js";
import { hasShortcut, Shortcut } from "./shortcuts.js";

/** The links to the pages: in groups at the side, as icons where the window is narrower, and on a phone the main ones at the foot. */

const words = texts("navigation");

type Entry = (typeof MENU)[number];

function isOpen(path: string, own: string): boolean {
  const bare = own.replace(/\/$/, "");
  return bare === "/console" ? path === bare : path === bare || path.startsWith(`${bare}/`);
}

/** The number links to the deliveries that it counts, not to a list in which they are hard to find. */
function addressOf({ name, path }: Entry, { webhooks }: ReturnType<typeof useBadges>): string {
  const status = webhooks.isOpen ? "PENDING" : "FAILED";
  return withBook(name === "webhooks" && webhooks.count > 0 ? `${path}?status=${status}` : path);
}

interface GroupProps {
  readonly group: MenuGroup;
  readonly open: MenuName | undefined;
  readonly badges: ReturnType<typeof useBadges>;
}

function Group({ group, open, badges }: GroupProps) {
  const heading = groupWords.value[group];
  return (
    <>
      {heading === "" ? null : <p class={`menu-group menu-group-${group}`}>{heading}</p>}
      <ul aria-label={heading === "" ? undefined : heading}>
        {MENU.filter((entry) => entry.group === group).map((entry) => (
          <li key={entry.name}>
            <a
              class="level"
              href={addressOf(entry, badges)}
              aria-current={entry.name === open ? "page" : undefined}
              title={menuWords.value[entry.name]}
            >
              <Icon name={entry.icon} />
              <span class="menu-name">{menuWords.value[entry.name]}</span>
              {isBadge(entry.name) ? <Badge of={badges[entry.name]} /> : null}
            </a>
            {hasShortcut(entry.name) && entry.name !== open ? <Shortcut of={entry.name} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

export function Navigation() {
  const { path } = useLocation();
  const open = MENU.find(({ path: own }) => isOpen(path, own))?.name;
  const badges = useBadges(open ?? "");
  const isWhole = useSignal(false);
  // Before the new page is drawn: later it would close a menu that was opened there.
  useLayoutEffect(() => {
    isWhole.value = false;
  }, [path]);
  return (
    <>
      <nav class={isWhole.value ? "menu menu-whole" : "menu"} aria-label={terms.value.pages}>
        {MENU_GROUPS.map((group) => (
          <Group key={group} group={group} open={open} badges={badges} />
        ))}
        <ul>
          <li>
            <a class="level" href="/docs" target="_blank" rel="noopener" title={terms.value.docs}>
              <Icon name="book" />
              <span class="menu-name">{terms.value.docs}</span>
              <span class="menu-name menu-away">
                <Icon name="external-link" />
              </span>
            </a>
          </li>
        </ul>
      </nav>
      <nav class="foot" aria-label={words.value.main}>
        {MENU.filter((entry) => "atFoot" in entry).map(({ name, path: own, icon }) => (
          <a key={name} href={withBook(own)} aria-current={name === open ? "page" : undefined}>
            <Icon name={icon} />
            {menuWords.value[name]}
          </a>
        ))}
        <button
          type="button"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          <Icon name={isWhole.value ? "x" : "dots"} />
          {terms.value.more}
        </button>
      </nav>
    </>
  );
}
