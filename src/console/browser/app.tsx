import { LocationProvider, Route, Router } from "preact-iso/router";
import { Accounts } from "./pages/accounts/index.js";
import { Charges } from "./pages/charges/index.js";
import { Clock } from "./pages/clock/index.js";
import { Deliveries } from "./pages/deliveries/index.js";
import { Endpoints } from "./pages/endpoints/index.js";
import { Events } from "./pages/events/index.js";
import { Faults } from "./pages/faults/index.js";
import { Go } from "./pages/go/index.js";
import { Mail } from "./pages/mail/index.js";
import { Med } from "./pages/med/index.js";
import { NothingHere } from "./pages/nothing-here.js";
import { Overview } from "./pages/overview/index.js";
import { Payouts } from "./pages/payouts/index.js";
import { Receiver } from "./pages/receiver/index.js";
import { Refunds } from "./pages/refunds/index.js";
import { Requests } from "./pages/requests/index.js";
import { Scenarios } from "./pages/scenarios/index.js";
import { Settings } from "./pages/settings/index.js";
import { Snapshots } from "./pages/snapshots/index.js";
import { Wallets } from "./pages/wallets/index.js";
import { Shell } from "./shell/shell.js";

/** The table of contents of the console: each address with its page. */

export function App() {
  return (
    <LocationProvider scope="/console">
      <Shell>
        <Router>
          <Route path="/console" component={Overview} />
          <Route path="/console/charges/:id?" component={Charges} />
          <Route path="/console/requests/:id?" component={Requests} />
          <Route path="/console/deliveries/:id?" component={Deliveries} />
          <Route path="/console/events/:id?" component={Events} />
          <Route path="/console/endpoints/:id?" component={Endpoints} />
          <Route path="/console/receiver" component={Receiver} />
          <Route path="/console/clock" component={Clock} />
          <Route path="/console/faults" component={Faults} />
          <Route path="/console/scenarios" component={Scenarios} />
          <Route path="/console/snapshots" component={Snapshots} />
          <Route path="/console/wallets/:id?" component={Wallets} />
          <Route path="/console/refunds/:id?" component={Refunds} />
          <Route path="/console/payouts/:id?" component={Payouts} />
          <Route path="/console/med/:id?" component={Med} />
          <Route path="/console/mail/:id?" component={Mail} />
          <Route path="/console/accounts/:id?" component={Accounts} />
          <Route path="/console/settings" component={Settings} />
          <Route path="/console/go/:id+" component={Go} />
          <Route default component={NothingHere} />
        </Router>
      </Shell>
    </LocationProvider>
  );
}
