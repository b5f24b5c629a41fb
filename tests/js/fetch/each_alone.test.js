// Each of the classes works when it is the first one that a program touches.
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');

const programs = {
  Request: 'new Request("http://x/", { method: "POST", body: "text" }).text().then((t) => console.log(t))',
  Response: 'new Response(new Blob(["text"])).text().then((t) => console.log(t))',
  Headers: 'console.log(new Headers([["a", "text"]]).get("A"))',
  FormData: 'const f = new FormData(); f.append("a", new Blob(["b"]), "name"); f.append("t", "text"); console.log(f.get("a").name === "name" && f.get("t"))',
  CloseEvent: 'console.log(new CloseEvent("close", { code: 1000, reason: "text", wasClean: true }).reason)',
  ErrorEvent: 'console.log(new ErrorEvent("error", { message: "text" }).message)',
  MessageEvent: 'console.log(new MessageEvent("message", { data: "text", ports: [] }).data)',
  WebSocket: 'try { new WebSocket("ws://x#y"); } catch (error) { console.log(error.name === "SyntaxError" && "text"); }',
  EventSource: 'try { new EventSource("http://["); } catch (error) { console.log(error.name === "SyntaxError" && "text"); }',
  fetch: 'fetch(new Request("data:,text")).then((r) => r.text()).then((t) => console.log(t))',
  'Request.formData': 'const f = new FormData(); f.append("a", "text"); new Request("http://x/", { method: "POST", body: f }).formData().then((g) => console.log(g.get("a")))',
};
for (const [name, program] of Object.entries(programs)) {
  assert.strictEqual(execFileSync(process.execPath, ['--experimental-eventsource', '-e', program]).toString().trim(), 'text', name);
}
