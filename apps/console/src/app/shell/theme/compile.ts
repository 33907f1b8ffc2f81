import { themeColours } from '@saddle/contract/constants.ts'
import { changeTheme } from '#kit/theme/settings.ts'

/**
 * Changes the primary colour and waits until the page shows it. Colours are CSS variables, so nothing is compiled.
 * Throws when the colour is none of the presets or the browser did not take it.
 */
export async function compileTheme(primaryColor: string): Promise<void> {
  if (!Object.values<string>(themeColours).includes(primaryColor)) throw new Error(`no preset colour: ${primaryColor}`)
  changeTheme({ primaryColor })
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const shown = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()
  if (shown === '') throw new Error('the page has no accent colour')
}
