import { auditPages } from '#audit/pages.ts'
import { exportPages } from '#exports/pages.ts'
import { feedPages } from '#feeds/pages.ts'
import { financePages } from '#finance/pages.ts'
import { fleetPages } from '#fleet/pages.ts'
import { geographyPages } from '#geography/pages.ts'
import { identityPages } from '#identity/pages.ts'
import type { PageLoader, PageMap } from '#kit/pages.ts'
import { marketingPages } from '#marketing/pages.ts'
import { noticePages } from '#notices/pages.ts'
import { operationsPages } from '#operations/pages.ts'
import { organisationPages } from '#organisation/pages.ts'
import { productionPages } from '#production/pages.ts'
import { reportPages } from '#reports/pages.ts'
import { riderPages } from '#rider/pages.ts'
import { ridingPages } from '#riding/pages.ts'
import { settingPages } from '#settings/pages.ts'
import { supportPages } from '#support/pages.ts'

/** Every page, by its path of the menu. */
const built = {
  ...identityPages,
  ...fleetPages,
  ...geographyPages,
  ...operationsPages,
  ...organisationPages,
  ...auditPages,
  ...exportPages,
  ...riderPages,
  ...ridingPages,
  ...financePages,
  ...marketingPages,
  ...supportPages,
  ...productionPages,
  ...reportPages,
  ...noticePages,
  ...settingPages,
  ...feedPages,
} satisfies PageMap

const loaders: ReadonlyMap<string, PageLoader> = new Map(Object.entries(built))

/** The lazy import of a page, or undefined when it has not been built. */
export function pageLoader(path: string): PageLoader | undefined {
  return loaders.get(path)
}

export const builtPaths: readonly string[] = [...loaders.keys()]
