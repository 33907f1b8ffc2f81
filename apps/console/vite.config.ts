import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import react from '@vitejs/plugin-react'

const smallestWorthCompressing = 1_024

/** Writes `.br` and `.gz` beside each text asset, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const squeeze = { br: promisify(brotliCompress), gz: promisify(gzip) }
      for (const [name, part] of Object.entries(bundle)) {
        if (!/\.(js|mjs|css|svg|json)$/.test(name)) continue
        const source = Buffer.from(part.type === 'chunk' ? part.code : part.source)
        if (source.length < smallestWorthCompressing) continue
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
        this.emitFile({ type: 'asset', fileName: `${name}.br`, source: await squeeze.br(source, quality) })
        this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: await squeeze.gz(source, { level: 9 }) })
      }
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
