import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { adoptLayout, changeTheme, forgetLayout, settleLayout, useTheme } from './settings.ts'

const theme = () => renderHook(() => useTheme()).result.current

test('a person’s own layout wins over the company’s, this browser’s over both, until the person sets it', () => {
  adoptLayout({ company: { layout: 'topmenu', multiTab: true }, own: { multiTab: false } })
  expect(theme()).toMatchObject({ layout: 'topmenu', multiTab: false, contentWidth: 'Fixed' })
  changeTheme({ layout: 'sidemenu', appearance: 'dark' })
  expect(theme()).toMatchObject({ layout: 'sidemenu', appearance: 'dark' })
  settleLayout({ company: { layout: 'topmenu' }, own: { multiTab: true } })
  expect(theme()).toMatchObject({ layout: 'topmenu', multiTab: true, appearance: 'dark' })
})

test('what was given goes with the person; what this browser has stays', () => {
  adoptLayout({ company: {}, own: { colorWeak: true } })
  expect(document.documentElement.dataset['colourWeak']).toBe('true')
  forgetLayout()
  expect(theme()).toMatchObject({ colorWeak: false, appearance: 'dark' })
  expect(localStorage.getItem('xc__layout')).toBeNull()
})
