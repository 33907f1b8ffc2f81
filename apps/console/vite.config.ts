import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import react from '@vitejs/plugin-react'

const smallestWorthCompressing = 1_024

/**
 * Writes `.br` and `.gz` beside each text asset, so that the server compresses nothing while it serves.
 * Reads what was written: until then Vite still rewrites chunks.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }, bundle) {
        if (dir === undefined) return
        const squeeze = { br: promisify(brotliCompress), gz: promisify(gzip) }
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
        for (const name of Object.keys(bundle)) {
          if (!/\.(js|mjs|css|svg|json)$/.test(name)) continue
          const path = join(dir, name)
          const source = await readFile(path)
          if (source.length < smallestWorthCompressing) continue
          await writeFile(`${path}.br`, await squeeze.br(source, quality))
          await writeFile(`${path}.gz`, await squeeze.gz(source, { level: 9 }))
        }
      },
    },
  }
}

/** What has to be there without a line: the field page, and what its first call fetches. */
const offlineEntries = [
  'src/operations/field/FieldPage.tsx',
  'src/operations/field/FieldMap.tsx',
  'node_modules/qr/decode.js',
  'packages/client/src/cipher.ts',
  'packages/client/src/callToken.ts',
  'packages/contract/src/english.json',
]
const workerEntry = fileURLToPath(new URL('src/app/offline/worker.ts', import.meta.url))

/** The files that the page and these entries need at once, in the order of their names. */
function filesOfShell(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const wanted = chunks.filter(
    ({ isEntry, facadeModuleId }) =>
      isEntry || offlineEntries.some((entry) => facadeModuleId?.endsWith(entry) === true),
  )
  const files = new Set<string>()
  const visit = (name: string): void => {
    const part = bundle[name]
    if (files.has(name) || part?.type !== 'chunk') return
    files.add(name)
    for (const style of part.viteMetadata?.importedCss ?? []) files.add(style)
    for (const asset of part.viteMetadata?.importedAssets ?? []) files.add(asset)
    part.imports.forEach(visit)
  }
  for (const { fileName } of wanted) visit(fileName)
  return [...files].toSorted().map((name) => `/${name}`)
}

/** Builds the service worker as one file under a fixed address, told what this build's shell consists of. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const shell = [...filesOfShell(bundle), '/manifest.webmanifest', '/icons/icon-192.png', '/favicon.svg']
      const name = createHash('sha256').update(shell.join('\n')).digest('hex').slice(0, 12)
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: { __BUILD__: JSON.stringify(name), __SHELL__: JSON.stringify(shell) },
        build: {
          write: false,
          target: 'es2023',
          rolldownOptions: { input: workerEntry, output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
      const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
      const worker = outputs.find((part) => part.type === 'chunk')
      if (worker === undefined) throw new Error('the service worker came out empty')
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker.code })
    },
  }
}

export default defineConfig({
  base: '/',
  plugins: [react(), serviceWorker(), precompress()],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    manifest: true,
    target: 'es2023',
    // A data: font or script would be refused by the page's policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_200,
  },
})
