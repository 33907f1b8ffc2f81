import { expect, test } from 'vitest'
import { numberOfCode, partOfCode } from './codes.ts'

test('a code is a number or a link with one', () => {
  expect(numberOfCode(' sd100001 ')).toBe('SD100001')
  expect(numberOfCode('https://go.example/r?n=SD100001')).toBe('SD100001')
  expect(numberOfCode('https://go.example/bikes/sd100001')).toBe('SD100001')
  expect(numberOfCode('https://go.example/about')).toBeNull()
  expect(numberOfCode('你好')).toBeNull()
})

test('the label of a part says one number, or all of them with their names', () => {
  const all = 'IMEI:490154203237518;SN:QX-0001;MAC:a4c138000001;ICCID:89860012345678901234'
  expect(partOfCode('imei', all)).toBe('490154203237518')
  expect(partOfCode('serial', all)).toBe('QX-0001')
  expect(partOfCode('mac', all)).toBe('A4C138000001')
  expect(partOfCode('iccid', all)).toBe('89860012345678901234')
  expect(partOfCode('imei', ' 490154203237518 ')).toBe('490154203237518')
  expect(partOfCode('imei', '4901542032375189')).toBeNull()
  expect(partOfCode('mac', 'A4:C1:38:00:00:01')).toBe('A4:C1:38:00:00:01')
  expect(partOfCode('mac', '490154203237518')).toBeNull()
  expect(partOfCode('iccid', '490154203237518')).toBeNull()
  expect(partOfCode('serial', '你好')).toBeNull()
})
