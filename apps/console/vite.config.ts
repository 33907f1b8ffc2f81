import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
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

export default defineConfig({
  base: '/',
  plugins: [react(), precompress()],
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
