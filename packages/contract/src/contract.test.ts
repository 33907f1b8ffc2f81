import { describe, expect, it } from 'vitest'
import { assertEndpoints, defineEndpoints } from './endpoint.ts'
import { everyCall } from './endpoints.ts'
import { parseErrorAnswer } from './errorAnswer.ts'
import { AppError, errorText } from './errors.ts'
import { isRoutePermitted, menuRows, menuTrail, permittedChildren, redirectOf } from './menu.ts'
import { applyFinancialStatus, holdsPermission, moneyCodes, permissionCodes, permissionTree } from './permissions.ts'
import { none, searchTextSchema } from './answers.ts'

const held = (...codes: string[]): ReadonlySet<string> => new Set(['all', ...codes])

describe('menu', () => {
  it('has each path once and only parents that exist', () => {
    const paths = menuRows.map((row) => row.path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const row of menuRows) if (row.parent !== null) expect(paths).toContain(row.parent)
    for (const row of menuRows) if (row.redirect !== undefined) expect(paths).toContain(row.redirect)
  })

  it('asks only for codes of the permission tree', () => {
    for (const row of menuRows) for (const code of row.permission ?? []) expect(permissionCodes).toContain(code)
    for (const row of permissionTree) if (row.parent !== null) expect(permissionCodes).toContain(row.parent)
  })

  it('filters children with their group', () => {
    expect(isRoutePermitted('/vehicle/operation-map', held('0301'))).toBe(false)
    expect(isRoutePermitted('/vehicle/operation-map', held('03'))).toBe(false)
    expect(isRoutePermitted('/vehicle/operation-map', held('03', '0301'))).toBe(true)
    expect(isRoutePermitted('/production/vehicle-list', held('06'))).toBe(true)
    expect(isRoutePermitted('/production', held()), 'the group itself asks for its code').toBe(false)
    for (const path of ['/production/vehicle-list', '/backend/message-config', '/vehicle-info']) {
      expect(isRoutePermitted(path, held()), `${path} is open to everyone`).toBe(true)
    }
    expect(isRoutePermitted('/nowhere', held())).toBe(false)
    expect(permittedChildren('/permissions', held('10', '1001')).map((row) => row.path)).toEqual(['/permissions/role'])
  })

  it('leads a group to its redirect, else to its first permitted page', () => {
    expect(redirectOf('/', held())).toBe('/log')
    expect(redirectOf('/vehicle', held('03', '0301'))).toBe('/vehicle/operation-map')
    expect(redirectOf('/vehicle', held('03', '0305'))).toBe('/vehicle/vehicle-visualization')
    expect(redirectOf('/vehicle', held('03'))).toBe('/404')
    expect(redirectOf('/log', held())).toBeNull()
  })

  it('names the group in the trail of a page that does not stand below its path', () => {
    expect(menuTrail('/user-info').map((row) => row.path)).toEqual(['/user-manage', '/user-info'])
    expect(menuTrail('/electronic/parking-fence').map((row) => row.path)).toEqual([
      '/backend',
      '/electronic/parking-fence',
    ])
  })
})

describe('permission rules', () => {
  it('reads a comma-list as all and a bar-list as any', () => {
    expect(holdsPermission(held('a'), 'a')).toBe(true)
    expect(holdsPermission(held('a'), 'a,b')).toBe(false)
    expect(holdsPermission(held('a', 'b'), 'a,b')).toBe(true)
    expect(holdsPermission(held('b'), 'a||b')).toBe(true)
    expect(holdsPermission(held('c'), 'a||b')).toBe(false)
  })

  it('drops financial codes by the state of the account', () => {
    const codes = ['03', 'financial', 'financial_01', 'financial_02', 'financial_03', 'financial_04']
    expect(applyFinancialStatus(codes, null)).toEqual(['03', 'financial', 'financial_02'])
    expect(applyFinancialStatus(codes, { status: 1, accountLevel: 2 })).toEqual(['03', 'financial', 'financial_02'])
    expect(applyFinancialStatus(codes, { status: 2, accountLevel: 1 })).toEqual([
      '03',
      'financial',
      'financial_01',
      'financial_02',
    ])
    expect(applyFinancialStatus(codes, { status: 2, accountLevel: 2 })).toEqual(codes)
  })
})

describe('endpoints', () => {
  it('are declared once, each with a permission', () => {
    expect(() => assertEndpoints(Object.values(everyCall))).not.toThrow()
  })

  it('fail the start-up when one has no permission or stands twice', () => {
    const row = {
      method: 'GET',
      path: '/x',
      host: 'platform',
      permission: 'session',
      scope: 'none',
      idempotency: 'none',
      summary: '',
      input: none,
      output: none,
    } as const
    const { first } = defineEndpoints({ first: row })
    expect(() => assertEndpoints([first, first])).toThrow('twice')
    const bare = { ...row, permission: undefined }
    expect(() => assertEndpoints([bare as never])).toThrow('without permission')
    expect(() => assertEndpoints([{ ...row, permission: [] as never }])).toThrow('without permission')
  })
})

describe('errors', () => {
  it('fills placeholders and survives the wire', () => {
    expect(errorText('bad_request', { detail: '手机号' })).toBe('提交的内容有误：手机号')
    expect(new AppError('sms_too_many')).toMatchObject({ status: 429, message: '短信发送次数超量' })
    expect(parseErrorAnswer({ suc: false, error: { code: 'forbidden', promot: 'x' } })).toEqual({
      code: 'forbidden',
      promot: 'x',
    })
    expect(parseErrorAnswer({ suc: false, error: { code: 'toString' } })?.code).toBe('server_error')
    expect(parseErrorAnswer({ suc: true })).toBeNull()
    expect(parseErrorAnswer(null)).toBeNull()
  })
})

describe('calls that write the ledger', () => {
  const writing = Object.entries(everyCall).filter(([, row]) => row.writes !== undefined)

  it('are those that we know of', () => {
    expect(writing.map(([name]) => name).toSorted()).toEqual([
      'cancelWithdrawal',
      'chargeService',
      'commitRiderImport',
      'confirmMoneyAct',
      'confirmResolution',
      'decideObjection',
      'decideReturns',
      'freezeDeposit',
      'giveUserRewards',
      'platformCharge',
      'recoverDeposit',
      'refundCard',
      'refundDeposit',
      'refundOrder',
      'refundPayment',
      'restoreUserRewards',
      'retryRefunds',
      'returnRefund',
      'revokeUserRewards',
      'sendWithdrawal',
      'submitObjection',
      'submitSplitObjection',
      'undoPlatformCharge',
      'unfreezeDeposit',
      'uploadChannelBill',
    ])
  })

  it('admit nobody for whom a second factor cannot be demanded, and repeat nothing', () => {
    for (const [name, { permission, idempotency }] of writing) {
      expect(Array.isArray(permission), name).toBe(true)
      for (const code of permission) expect(moneyCodes, `${name} by ${code}`).toContain(code)
      expect(idempotency, name).toBe('key')
    }
  })
})

describe('text that is looked for', () => {
  it('loses what nobody sees', () => {
    expect(searchTextSchema.max(4).parse('\u200b 8600\u200d\ufeff ')).toBe('8600')
    expect(searchTextSchema.safeParse('a\0').success).toBe(false)
  })
})
