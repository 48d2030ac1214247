// The studio in a worker. What wasm-bindgen wrote stands above, and has left `studio` as a global variable.

let ready = null;
let local = null;

self.reportPanic = (text) => console.error(text);

/** Work that was put off is done when nobody asks. */
function rest() {
  if (local.work()) setTimeout(rest);
}

self.onmessage = async ({ data }) => {
  try {
    if (data.module) {
      ready = studio({ module_or_path: data.module }).then(() => { local = new studio.Studio(); });
      await ready;
      return;
    }
    await ready;
    const answer = local.answer(data.method, data.path, data.type, data.body);
    const { status, headers: flat, body } = answer;
    answer.free();
    const headers = flat.flatMap((name, at) => (at % 2 ? [] : [[name, flat[at + 1]]]));
    postMessage({ status, headers, body }, [body.buffer]);
    setTimeout(rest);
  } catch (error) {
    postMessage({ broken: `The studio broke down: ${error.message}.` });
  }
};
