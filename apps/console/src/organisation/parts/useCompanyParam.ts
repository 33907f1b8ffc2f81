import { useSearchParams } from 'react-router'

/** Which company and which area the page is about, held by the address. */
export interface CompanyParam {
  readonly agentId: number | null
  readonly areaId: number | null
}

export function useCompanyParam(): readonly [CompanyParam, (next: CompanyParam) => void] {
  const [params, setParams] = useSearchParams()
  const where = { agentId: idOf(params.get('agent')), areaId: idOf(params.get('area')) }
  const go = ({ agentId, areaId }: CompanyParam): void =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      write(next, 'agent', agentId)
      write(next, 'area', areaId)
      return next
    })
  return [where, go]
}

/** Null: none, or a mangled link. */
function idOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

function write(params: URLSearchParams, name: string, id: number | null): void {
  if (id === null) params.delete(name)
  else params.set(name, String(id))
}
