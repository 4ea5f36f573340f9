import { type SVGTemplateResult, svg } from 'lit';
import type { CoreType, Faction } from '../game/bakugan/view.ts';

/** Colour of each faction, light enough to read on the dark pages. */
export const FACTION_COLOUR: Readonly<Record<Faction, string>> = {
  Pyrus: '#ff5a4d',
  Aquos: '#4c97ff',
  Ventus: '#3fdc86',
  Haos: '#d8fff6',
  Darkus: '#b3a3d6',
  Aurelus: '#ffd24a',
};

/** Colour of each type of BakuCore, as printed. */
export const CORE_COLOUR: Readonly<Record<CoreType, string>> = {
  FT: '#37c871',
  FF: '#f0483e',
  SD: '#f59331',
  MS: '#3f86ff',
  HE: '#2fc9c4',
};

export const CORE_NAME: Readonly<Record<CoreType, string>> = {
  FT: 'Fist',
  FF: 'Flaming Fist',
  SD: 'Shield',
  MS: 'Magic Shield',
  HE: 'Helix',
};

const FACTION_PATH: Readonly<Record<Faction, string>> = {
  Pyrus:
    'M12 1.5c1.2 4.2 6.6 6 6.6 12.1A6.6 6.6 0 0 1 12 22.5a6.6 6.6 0 0 1-6.6-8.1c.4-2 1.6-3.2 2.3-4.7.8 1 1 1.8 1.1 2.9C11 10 12.2 6 12 1.5Zm.3 11.6c-.4 2.2-2.4 2.7-2.4 4.8a2.2 2.2 0 0 0 4.4.1c0-2-1.6-2.8-2-4.9Z',
  Aquos:
    'M12 1.5c3.4 5 7 8.4 7 13a7 7 0 0 1-14 0c0-4.6 3.600-8 7-13Zm-3.900 13.200a4 4 0 0 0 4.500 4.300c-2-.700-2.900-2.100-3-4.300Z',
  Ventus:
    'M21.500 2.500c.600 9.500-2.400 16.500-10 16.500-1.700 0-3.100-.500-4.200-1.300L4.200 21.800 2.500 20.300l3.300-4C4.900 9.500 11 3.800 21.500 2.500Zm-5.600 5.700c-3.400 1.300-6 3.500-7.700 6.500 2.900-1.600 5.600-3.600 7.700-6.500Z',
  Haos: 'M12 1.500l1.900 5.300 4.900-2.600-2.600 4.900L22.500 12l-6.300 1.900 2.600 5.900-4.900-2.600L12 22.500l-1.900-5.300-4.900 2.600 2.600-5.900L1.500 12l6.300-2.900-2.600-4.900 4.900 2.600Zm0 7.300a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400Z',
  Darkus:
    'M15.800 2.200A10.200 10.200 0 1 0 21.800 15 8.600 8.600 0 0 1 15.800 2.200Zm1.700 4.300.9 2.500 2.500.9-2.500.9-.9 2.500-.9-2.500-2.500-.9 2.500-.9Z',
  Aurelus:
    'M12 1.500 22.500 12 12 22.500 1.500 12Zm0 5L6.500 12l5.500 5.500 5.500-5.500Zm0 3 2.500 2.500-2.500 2.500L9.500 12Z',
};

const CORE_PATH: Readonly<Record<CoreType, string>> = {
  FT: 'M5 9.500C5 7 7 6 8.300 6.700 8.800 5 11 4.600 12 5.900c1-1.200 3-.900 3.600.7 1.800-.6 3.400.5 3.400 2.500v5c0 3.600-2.600 5.900-6.300 5.900H11c-2 0-3.300-.8-4.300-2.300L4.400 14c-.7-1.200.1-2.400 1.300-2.400h4.500v1.600H7.200',
  FF: 'M12 2.500c.6 3 3.900 4.100 4.800 7.400.7-.6.9-1.300 1-2.300 2 2.300 2.700 4.500 2.200 7A8 8 0 0 1 4 13.800c0-3 1.900-4.800 3-6.900.7.8.9 1.500 1 2.500 2-1.400 3.900-3.400 4-6.900ZM8.500 15.500c0 2 1.500 3.500 3.500 3.500s3.500-1.500 3.500-3.500v-2h-2v-1.200h-1.200V13h-1.200v-.8h-1.200v1.800H8.500Z',
  SD: 'M12 2.500 20 5v6.500c0 4.700-3.300 8.200-8 10-4.700-1.800-8-5.300-8-10V5Zm0 3.100L7 7.200v4.400c0 3 1.900 5.400 5 6.900Z',
  MS: 'M12 2 20 4.600v6.900c0 4.700-3.300 8.200-8 10-4.700-1.800-8-5.300-8-10V4.600Zm0 4.200-1.400 3.300-3.500.3 2.700 2.300-.8 3.500 3-1.900 3 1.900-.8-3.500 2.700-2.300-3.500-.3Z',
  HE: 'M6 2.500h2.600c0 4.500 9.400 5.500 9.400 10.500 0 3.300-3.700 5-6 8.500H9.400C11 17.600 15.400 16 15.400 13 15.400 9.700 6 8.600 6 2.500Zm9.400 0H18c0 2-1 3.500-2.400 4.700l-1.800-1.400c1-.9 1.600-1.900 1.600-3.300ZM8.600 10.600l1.900 1.300c-1.100.8-1.900 1.700-1.900 3 0 2 2.800 3 4.600 4.600l-1.500 2C9.600 19.500 6 18.400 6 15c0-1.900 1.100-3.200 2.600-4.400Z',
};

/** Emblem of a faction in a box of 24. */
export function factionMark(faction: Faction): SVGTemplateResult {
  return svg`<path fill-rule="evenodd" d=${FACTION_PATH[faction]}></path>`;
}

/** Symbol of a BakuCore type in a box of 24. */
export function coreMark(type: CoreType): SVGTemplateResult {
  return svg`<path fill-rule="evenodd" d=${CORE_PATH[type]}></path>`;
}
