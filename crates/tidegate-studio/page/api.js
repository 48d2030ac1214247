// Asking the studio: what is sent, what comes back, and what went wrong in words for people.

import { reach } from './host.js';

/** The server said no, in words for people. */
export class Refusal extends Error {
  constructor(status, code, message, version) {
    super(message);
    Object.assign(this, { status, code, version });
  }
}

async function send(path, { method = 'GET', body, type, signal } = {}) {
  let answer;
  try {
    answer = await reach(path, { method, body, type, signal });
  } catch (problem) {
    if (problem.name === 'AbortError') throw problem;
    throw new Refusal(0, 'gone', problem.message);
  }
  if (answer.ok) return answer;
  let error = {};
  try {
    ({ error } = await answer.json());
  } catch {
    // Not JSON: the status must do.
  }
  throw new Refusal(answer.status, error.code ?? 'unknown', error.message ?? `The studio answered ${answer.status}.`, error.version);
}

export async function get(path, signal) {
  return (await send(path, { signal })).json();
}

/** A binary answer, with the version it belongs to. */
export async function bytes(path, signal) {
  const answer = await send(path, { signal });
  return { version: Number(answer.headers.get('X-Tidegate-Version')), buffer: await answer.arrayBuffer() };
}

export async function blob(path) {
  return (await send(path)).blob();
}

export async function remove(path) {
  await send(path, { method: 'DELETE' });
}

/** Sends JSON; the answer as it came. */
export function post(path, body, signal) {
  return send(path, { method: 'POST', body: JSON.stringify(body), type: 'application/json', signal });
}

/** Sends a file. */
export async function upload(path, file) {
  const type = 'application/octet-stream';
  return (await send(path, { method: 'POST', body: file, type })).json();
}

/** Asks what may need tables first: waits for their job, then asks again. */
export async function ask(path, body, signal, waiting = () => {}) {
  for (;;) {
    const answer = await post(path, body, signal);
    if (answer.status !== 202) return answer;
    const { job } = await answer.json();
    await wait(job, signal, waiting);
  }
}

/** Waits for a job; its result. */
export async function wait(job, signal, progress = () => {}) {
  for (let pause = 60; ; pause = Math.min(pause * 1.4, 500)) {
    const facts = await get(`/jobs/${job}`, signal);
    progress(facts);
    if (facts.state === 'done') return facts.result;
    if (facts.state === 'cancelled') throw new Refusal(0, 'cancelled', 'Cancelled.');
    if (facts.state === 'failed') throw new Refusal(500, 'failed', facts.message ?? 'It failed.');
    await new Promise((go) => setTimeout(go, pause));
    signal?.throwIfAborted();
  }
}
