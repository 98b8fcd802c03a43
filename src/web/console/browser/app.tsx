import type { ComponentType } from "preact";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { Accounts } from "./pages/accounts/index.js";
import { Charges } from "./pages/charges/index.js";
import { Clock } from "./pages/clock/index.js";
import { Connect } from "./pages/connect/index.js";
import { Endpoints } from "./pages/endpoints/index.js";
import { Faults } from "./pages/faults/index.js";
import { Go } from "./pages/go/index.js";
import { Med } from "./pages/med/index.js";
import { Moved } from "./pages/moved.js";
import { NothingHere } from "./pages/nothing-here.js";
import { Overview } from "./pages/overview/index.js";
import { Payouts } from "./pages/payouts/index.js";
import { Refunds } from "./pages/refunds/index.js";
import { Requests } from "./pages/requests/index.js";
import { Scenarios } from "./pages/scenarios/index.js";
import { Settings } from "./pages/settings/index.js";
import { Wallets } from "./pages/wallets/index.js";
import { Webhooks } from "./pages/webhooks/index.js";
import { MENU, type MenuName } from "./shell/menu.js";
import { Shell } from "./shell/shell.js";
import { MOVED_PAGES } from "./words/moved.js";

/** The pages of the menu. A page that shows objects receives the id in the address. */
const PAGES: Readonly<Record<MenuName, ComponentType<{ id?: string }>>> = {
  overview: Overview,
  connect: Connect,
  charges: Charges,
  refunds: Refunds,
  payouts: Payouts,
  med: Med,
  wallets: Wallets,
  webhooks: Webhooks,
  endpoints: Endpoints,
  requests: Requests,
  clock: Clock,
  faults: Faults,
  scenarios: Scenarios,
  accounts: Accounts,
  settings: Settings,
};

export function App() {
  return (
    <LocationProvider scope="/console">
      <Shell>
        <Router>
          {MENU.map((page) => (
            <Route key={page.name} path={`${page.path}${"ids" in page ? "/:id?" : ""}`} component={PAGES[page.name]} />
          ))}
          <Route path="/console/go/:id+" component={Go} />
          {MOVED_PAGES.map((name) => (
            <Route key={name} path={`/console/${name}/:id*`} component={Moved} />
          ))}
          <Route default component={NothingHere} />
        </Router>
      </Shell>
    </LocationProvider>
  );
}
