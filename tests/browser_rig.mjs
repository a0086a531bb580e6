// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// Drives a real Chromium for the tests: one JSON array a line comes in, [what, …arguments], one JSON object a line goes
// out, {value} or {error}. Argument of the program: the browser's path.
import readline from "node:readline";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(fileURLToPath(new URL("../tools/", import.meta.url)));
const { chromium } = require("playwright-core");

const browser = await chromium.launch({ executablePath: process.argv[2], args: ["--no-sandbox"] });
const PATIENCE_MS = 60000;
let context, page;
let asked = []; // addresses that the page has asked for
let printed = []; // what it printed, or threw

const does = {
    async open(address, options) {
        if (context) await context.close();
        asked = [];
        printed = [];
        context = await browser.newContext(options.context || {});
        if (options.before) await context.addInitScript(options.before);
        page = await context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        page.on("console", (message) => printed.push(message.text()));
        page.on("pageerror", (error) => printed.push("error: " + error.message));
        context.on("request", (request) => asked.push(request.url()));
        await page.goto(address);
    },
    reload: () => page.reload(),
    offline: (off) => context.setOffline(off),
    click: (selector, options) => page.click(selector, options),
    tap: (selector) => page.tap(selector),
    hover: (selector, options) => page.hover(selector, options),
    down: (key) => page.keyboard.down(key),
    up: (key) => page.keyboard.up(key),
    key: (key) => page.keyboard.press(key, { delay: 60 }),
    type: (text) => page.keyboard.type(text),
    focus: (selector) => page.focus(selector),
    // Not the driver's own waiting, which runs inside the page, where its policy lets no text become a program.
    async wait(code) {
        const end = Date.now() + PATIENCE_MS;
        while (!(await page.evaluate(code))) {
            if (Date.now() > end) throw new Error(`in ${PATIENCE_MS} ms it did not come to ${code}`);
            await new Promise((done) => setTimeout(done, 20));
        }
    },
    value: (code) => page.evaluate(code),
    snapshot: (selector) => page.locator(selector).ariaSnapshot(),
    picture: (path) => page.screenshot({ path }),
    asked: () => asked,
    printed: () => printed,
};

process.stdout.write(JSON.stringify({ value: browser.version() }) + "\n");
for await (const line of readline.createInterface({ input: process.stdin })) {
    const [what, ...given] = JSON.parse(line);
    let answer;
    try {
        answer = { value: (await does[what](...given)) ?? null };
    } catch (error) {
        answer = { error: String(error.message || error) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
}
await browser.close();
