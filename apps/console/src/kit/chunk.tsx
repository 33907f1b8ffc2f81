import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { chunkLoadTimeoutMs } from '@saddle/contract/constants.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import type { PageLoader } from './pages.ts'

/** A part of the console that could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

const reloadedKey = 'xc__reloaded'

interface LoadOptions {
  readonly timeoutMs?: number
  readonly reload?: () => void
  /** The build that the server has now; null while it does not answer. */
  readonly servedBuild?: () => Promise<string | null>
}

/**
 * Fetches a chunk; rejects with `ChunkLoadError` when it fails or takes longer than 120 s.
 * Where the server answers with another build, which has replaced the chunk, the page is loaded anew, once per build. An
 * outage reloads nothing: what is open, typed and filtered stays, and the page offers to try again.
 */
export async function loadChunk<T>(load: () => Promise<T>, options: LoadOptions = {}): Promise<T> {
  const { timeoutMs = chunkLoadTimeoutMs, reload = () => location.reload(), servedBuild = askBuild } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`no chunk after ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([load(), timeout])
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause
    if (await isReplaced(servedBuild)) reload()
    throw new ChunkLoadError('a chunk could not be fetched', { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** True once per build and tab; never in development, where a failure is a bug in the code. */
async function isReplaced(servedBuild: () => Promise<string | null>): Promise<boolean> {
  const { build } = clientConfig()
  if (build === 'dev' || sessionStorage.getItem(reloadedKey) === build) return false
  const served = await servedBuild()
  if (served === null || served === build) return false
  sessionStorage.setItem(reloadedKey, build)
  return true
}

const buildTimeoutMs = 5_000

async function askBuild(): Promise<string | null> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(buildTimeoutMs) })
    const { build } = (await answer.json()) as { readonly build?: unknown }
    return answer.ok && typeof build === 'string' ? build : null
  } catch {
    return null
  }
}

const fetched = new Map<PageLoader, ComponentType>()

interface Props {
  readonly load: PageLoader
  readonly size?: 'panel' | 'page'
}

/** The result of one try; without a component it failed. */
interface Outcome {
  readonly load: PageLoader
  readonly attempt: number
  readonly component: ComponentType | null
}

/** Shows a lazily loaded component, or the reason why it failed to load and a retry button. */
export function Chunk({ load, size = 'page' }: Props): ReactNode {
  const [attempt, setAttempt] = useState(0)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  useEffect(() => {
    let current = true
    const settle = (component: ComponentType | null): void => {
      if (current) setOutcome({ load, attempt, component })
    }
    void fetchComponent(load).then(settle, () => settle(null))
    return () => {
      current = false
    }
  }, [load, attempt])
  const settled = outcome?.load === load && outcome.attempt === attempt ? outcome : null
  const component = fetched.get(load) ?? settled?.component
  if (component) return createElement(component)
  if (settled === null) return <Loading size={size} />
  return (
    <ErrorState
      title={t('页面加载失败')}
      text={t('页面没有取到，请检查网络后重试。')}
      size={size}
      onRetry={() => setAttempt(attempt + 1)}
    />
  )
}

async function fetchComponent(load: PageLoader): Promise<ComponentType> {
  const known = fetched.get(load)
  if (known !== undefined) return known
  const chunk = await loadChunk(load)
  fetched.set(load, chunk.default)
  return chunk.default
}
