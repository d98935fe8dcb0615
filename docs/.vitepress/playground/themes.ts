/** Themes to begin with. test/contrast.test.ts checks their contrast. */
import {plainTheme, type Theme} from './theme.js'

/** By name. */
export const themes: Readonly<Record<string, Theme>> = {
  'Halm & Oak': {
    ...plainTheme,
    light: {
      accent: '#2f5d50',
      surface: '#fffaf2',
      text: '#211b14',
      muted: '#6b6154',
      border: '#e6dccb',
      danger: '#9c2f1f',
      success: '#2f5d50',
    },
    dark: {
      accent: '#8fc4b2',
      'on-accent': '#0d221c',
      surface: '#1d1a16',
      text: '#f3ece0',
      muted: '#b3a896',
      border: '#3a342b',
      danger: '#f0a090',
      success: '#8fc4b2',
    },
    radius: 4,
    font: 'serif',
  },
  Violet: {
    ...plainTheme,
    light: {accent: '#6a2bd9', surface: '#fdfcff', text: '#1c1430', muted: '#625a75', border: '#e4def0'},
    dark: {
      accent: '#b9a0ff',
      'on-accent': '#1a0b33',
      surface: '#17131f',
      text: '#f2eefb',
      muted: '#aaa1bd',
      border: '#332c42',
    },
    radius: 22,
    font: 'rounded',
  },
  'High contrast': {
    ...plainTheme,
    light: {
      accent: '#00309c',
      text: '#000000',
      muted: '#333333',
      border: '#767676',
      danger: '#8f0f0a',
      success: '#00501f',
    },
    dark: {
      accent: '#ffd84d',
      'on-accent': '#000000',
      surface: '#000000',
      text: '#ffffff',
      muted: '#d6d6d6',
      border: '#8c8c8c',
      danger: '#ffb4ad',
      success: '#8df0b4',
    },
    radius: 8,
    fontSize: 18,
  },
}
