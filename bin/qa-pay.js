#!/usr/bin/env node
import module from "node:module";
import { main } from "../dist/cli.js";

// Node 22 and newer keep what they compiled in a folder for temporary files, so that the next start need not compile it
// again; NODE_DISABLE_COMPILE_CACHE=1 turns that off. Node 20 has no such cache.
module.enableCompileCache?.();

process.exitCode = await main();
