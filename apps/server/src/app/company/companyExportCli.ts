import { resolve } from 'node:path'
import { anchorFolder } from '#audit/public.ts'
import { withConfiguredPlace } from '#kit/db/configured.ts'
import { secretsOfPlace } from './place.ts'
import { exportCompany } from './exportCompany.ts'

const usage = 'usage: npm run --silent company:export -- <company id> <folder>'

/** `npm run --silent company:export -- <company id> <folder>`: everything of a company, in open formats. */
async function main(args: readonly string[]): Promise<void> {
  const [company = '', folder = ''] = args
  if (args.length !== 2 || !/^[1-9]\d{0,14}$/.test(company)) throw new Error(usage)
  const begunAt = Date.now()
  await withConfiguredPlace(async ({ config, dataDir, url }) => {
    const { companies, tables, photos, unreadable, sums } = await exportCompany({
      url,
      rootId: Number(company),
      folder: resolve(folder),
      secrets: secretsOfPlace({ config, dataDir }),
      anchors: anchorFolder(dataDir),
      now: new Date(),
      say: (line) => console.log(line),
    })
    for (const [what, sum] of Object.entries(sums)) console.log(`${what}: ${sum}`)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const seconds = Math.round((Date.now() - begunAt) / 1_000)
    console.log(`company:export: ${companies.length} companies, ${rows} rows, ${photos} photos in ${seconds} s`)
    if (unreadable > 0)
      console.log(`company:export: ${unreadable} rows are opened by no known secret and go along sealed`)
    console.log('company:export: telephone numbers, names and certificates lie open in it: keep the folder accordingly')
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
