import { describe, expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { checkPermission, effectiveScope } from './scope.ts'

const grant = { agentIds: [3, 4], areaIds: [10, 11, 12], operatorId: 7 }

describe('effective scope', () => {
  it('is the whole grant when nothing is chosen, and nothing when an empty list is', () => {
    expect(effectiveScope(grant, {})).toEqual(grant)
    expect(effectiveScope(grant, { agentIds: [], opAreaIds: [] })).toEqual({ agentIds: [], areaIds: [], operatorId: 7 })
  })

  it('narrows', () => {
    expect(effectiveScope(grant, { agentIds: [4], opAreaIds: [12] })).toEqual({
      agentIds: [4],
      areaIds: [12],
      operatorId: 7,
    })
  })

  it.each([{ agentIds: [5] }, { agentIds: [3, 5] }, { opAreaIds: [99] }, { opAreaIdsBigScreen: [10, 99] }])(
    'refuses a foreign id: %o',
    (chosen) => {
      expect(() => effectiveScope(grant, chosen)).toThrow('所选加盟商或服务区不在您的权限范围内')
    },
  )
})

describe('permission', () => {
  it('asks for at least one of the codes', () => {
    expect(() => checkPermission(endpoints.singleDeviceInfo, new Set(['all', '0302']))).not.toThrow()
    expect(() => checkPermission(endpoints.singleDeviceInfo, new Set(['all', '03']))).toThrow('没有权限执行此操作')
    expect(() => checkPermission(endpoints.me, new Set(['all']))).not.toThrow()
  })
})
