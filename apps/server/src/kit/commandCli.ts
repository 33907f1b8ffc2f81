// An undefined table or role: this database was not migrated yet.
const notMigrated = new Set(['42P01', '42704', '22023'])

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isEmpty = 'code' in error && typeof error.code === 'string' && notMigrated.has(error.code)
  return isEmpty ? 'this database has no tables of the platform; start the platform on it once' : error.message
}

/** Runs a command that resolves to its exit code; 2 with a line of text where it could not do its work. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 2
  }
}
