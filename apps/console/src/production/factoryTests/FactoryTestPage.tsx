import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ModelList } from './ModelList.tsx'
import { ReworkList } from './ReworkList.tsx'
import { TestList } from './TestList.tsx'

/** The test of vehicles before their delivery: tests, what has to be mended, and what is tested of each model. */
export default function FactoryTestPage(): ReactNode {
  const [search] = useSearchParams()
  const view = search.get('view')
  if (view === 'reworks') return <ReworkList />
  return view === 'models' ? <ModelList /> : <TestList />
}
