import { gbfsFeedNames, type GbfsFeedName } from '@saddle/contract/feeds/gbfs.ts'
import { createCheckers, type ITypeSuite } from 'ts-interface-checker'

/**
 * Checks of the standard's publisher, which it makes from its JSON schemas (package gbfs-typescript-types, Apache-2.0): required
 * fields, types and words of each feed, said by somebody else than the schemas of the contract.
 */
export async function gbfsCheckers(): Promise<(name: GbfsFeedName | 'manifest', feed: unknown) => void> {
  const names = [...gbfsFeedNames, 'manifest'] as const
  const checkers = new Map(
    await Promise.all(
      names.map(async (name) => {
        const { default: suite } = (await import(
          /* @vite-ignore */ `gbfs-typescript-types/v3.0/test-type-checkers/${name}-ti.ts`
        )) as { default: ITypeSuite }
        const root = name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
        const checker = createCheckers(suite)[root]
        if (checker === undefined) throw new Error(`${name} has no checker`)
        return [name, checker] as const
      }),
    ),
  )
  return (name, feed) => checkers.get(name)?.check(feed)
}
