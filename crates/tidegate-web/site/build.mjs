// The page without a server: the studio's page with another host.js, in one script, with the studio in WebAssembly beside it.
//   node build.mjs MODULE OUT HOME
// MODULE is the folder with studio.js and studio_bg.wasm that tools/bindgen wrote, HOME where the project's link leads.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [module, out, home] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const page = join(here, '../../tidegate-studio/page');
const { build } = createRequire(join(process.cwd(), 'target/tools/npm/'))('esbuild');

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

// The page.
const whole = await mkdtemp(join(tmpdir(), 'tidegate-'));
await cp(page, whole, { recursive: true });
await cp(join(here, 'host.js'), join(whole, 'host.js'));
await build({ entryPoints: [join(whole, 'main.js')], bundle: true, minify: true, format: 'iife', target: 'es2022', outfile: join(out, 'studio.js'), legalComments: 'none' });
const html = await readFile(join(page, 'index.html'), 'utf8');
const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)">\n/g)].map(([, name]) => name);
const css = await Promise.all([...styles.map((name) => readFile(join(page, name), 'utf8')), readFile(join(here, 'site.css'), 'utf8')]);
await writeFile(join(out, 'studio.css'), css.join('\n'));
await cp(join(page, 'icon.svg'), join(out, 'icon.svg'));
await rm(whole, { recursive: true });

/** One place in the page that must be there. */
function swap(text, from, to) {
  if (text.split(from).length !== 2) throw new Error(`index.html has not one ${from}`);
  return text.replace(from, to);
}
let site = html.replace(/ *<link rel="(stylesheet|modulepreload)" [^\n]*\n/g, '');
site = swap(site, '<script type="module" src="main.js"></script>', '<link rel="stylesheet" href="studio.css">\n  <script defer src="studio.js"></script>');
site = swap(site, '<title>Tidegate studio</title>', '<title>Tidegate: regions, gates and exact paths for tile maps</title>\n  <meta name="description" content="Drop a tile map: see its regions and choke points, drag two pins, compare path finders, paint walls. All in your browser.">');
site = site.replace(/<h1 class="brand">(.*)<\/h1>/, `<h1 class="brand"><a href="${home}" title="About Tidegate">$1</a></h1>`);
site = swap(site, '<div id="facts"></div>', `<div id="facts"></div><a id="about" href="${home}"><span>Regions, gates and exact paths for tile maps, all in this page: </span><b>about Tidegate</b></a>`);
await writeFile(join(out, 'index.html'), site);

// The studio.
const source = `${await readFile(join(module, 'studio.js'), 'utf8')}\n${await readFile(join(here, 'worker.js'), 'utf8')}`;
const bytes = await readFile(join(module, 'studio_bg.wasm'));
await writeFile(join(out, 'worker.js'), source);
await writeFile(join(out, 'studio.wasm'), bytes);
const packed = { source, module: gzipSync(bytes, { level: 9 }).toString('base64') };
await writeFile(join(out, 'offline.js'), `// worker.js and studio.wasm once more, for browsers that open this page from a folder.\nglobalThis.tidegateOffline = ${JSON.stringify(packed)};\n`);
