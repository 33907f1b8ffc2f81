import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { chunkLoadTimeoutMs } from '@saddle/contract/constants.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import type { PageLoader } from './pages.ts'

/** A part of the console that could not be fetched. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

const reloadedKey = 'xc__reloaded'

interface LoadOptions {
  readonly timeoutMs?: number
  readonly reload?: () => void
}

/**
 * Fetches a chunk; rejects with `ChunkLoadError` when it does not come within 120 s or does not come at all.
 * The first failure under one build reloads the page: most likely a newer build has taken its place.
 */
export async function loadChunk<T>(load: () => Promise<T>, options: LoadOptions = {}): Promise<T> {
  const { timeoutMs = chunkLoadTimeoutMs, reload = () => location.reload() } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`no chunk after ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([load(), timeout])
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause
    if (mayReload()) reload()
    throw new ChunkLoadError('a chunk could not be fetched', { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** True once per build and tab; never in development, where a failure is a mistake in the code. */
function mayReload(): boolean {
  const { build } = clientConfig()
  if (build === 'dev' || sessionStorage.getItem(reloadedKey) === build) return false
  sessionStorage.setItem(reloadedKey, build)
  return true
}

const fetched = new Map<PageLoader, ComponentType>()

interface Props {
  readonly load: PageLoader
  readonly size?: 'panel' | 'page'
}

/** Shows a lazily loaded component, or why it is not there and a way to try again. */
export function Chunk({ load, size = 'page' }: Props): ReactNode {
  const [tries, setTries] = useState(0)
  const [found, setFound] = useState<{ readonly load: PageLoader; readonly component: ComponentType } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const Ready = fetched.get(load) ?? (found?.load === load ? found.component : null)
  useEffect(() => {
    if (fetched.has(load)) return
    let current = true
    setError(null)
    loadChunk(load).then(
      (chunk) => {
        fetched.set(load, chunk.default)
        if (current) setFound({ load, component: chunk.default })
      },
      (fault: unknown) => current && setError(fault),
    )
    return () => {
      current = false
    }
  }, [load, tries])
  if (Ready !== null) return <Ready />
  if (error === null) return <Loading size={size} />
  return (
    <ErrorState
      title={t('页面加载失败')}
      text={t('页面没有取到，请检查网络后重试。')}
      size={size}
      onRetry={() => setTries((count) => count + 1)}
    />
  )
}
