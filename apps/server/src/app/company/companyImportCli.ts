import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anchorFolder } from '#audit/public.ts'
import { withConfiguredPlace } from '#kit/db/configured.ts'
import { migrate } from '#kit/db/migrate.ts'
import { silentLog } from '#kit/log.ts'
import { CompanyError, readManifest } from './format.ts'
import { checkExport, importCompany, type ImportReport } from './importCompany.ts'
import { secretsOfPlace } from './place.ts'

const proofs = ['../ledgerVerifyCli.ts', '../../audit/chain/verifyCli.ts']

/** `npm run --silent company:import -- <folder>`: a company into a fresh installation, reconciled and proved. */
async function main(args: readonly string[]): Promise<void> {
  const [given] = args
  if (given === undefined || args.length !== 1) throw new Error('usage: npm run --silent company:import -- <folder>')
  const folder = resolve(given)
  const begunAt = Date.now()
  const manifest = readManifest(folder)
  await checkExport(folder, manifest)
  await withConfiguredPlace(async ({ config, dataDir, url }) => {
    await migrate({ url, log: silentLog })
    const report = await importCompany({
      url,
      folder,
      manifest,
      secrets: secretsOfPlace({ config, dataDir }),
      anchors: anchorFolder(dataDir),
      now: new Date(),
      say: (line) => console.log(line),
    })
    const file = join(dataDir, `company-import-${manifest.rootId}.json`)
    writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`, { mode: 0o600 })
    print(report)
    console.log(`company:import: the report is ${file}`)
    if (!report.isEqual) throw new CompanyError('company:import: NOT EQUAL: nothing was taken in, see above')
    for (const proof of proofs) prove(proof)
  })
  const seconds = Math.round((Date.now() - begunAt) / 1_000)
  console.log(`company:import: equal, sound, in ${seconds} s; start the platform with npm start`)
}

function print({ tables, sums, dangling }: ImportReport): void {
  for (const { name, exported, imported } of tables)
    if (exported !== imported) console.log(`DIFFERENT ${name}: ${exported} rows exported, ${imported} imported`)
  for (const { what, exported, imported } of sums)
    console.log(`${exported === imported ? 'equal' : 'DIFFERENT'} ${what}: ${exported} exported, ${imported} imported`)
  for (const { reference, rows } of dangling) console.log(`DANGLING ${reference}: ${rows} rows`)
  const rows = tables.reduce((sum, table) => sum + table.imported, 0)
  console.log(`company:import: ${tables.length} tables, ${rows} rows`)
}

function prove(proof: string): void {
  const script = fileURLToPath(new URL(proof, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new CompanyError('The imported company is not sound: see above. Do not start on it.')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
