import { type CharacterCard, characterCard } from './data/characters.ts';
import { corePrint } from './data/cores.ts';
import type { CoreType } from './view.ts';

/** What a player brings (1.1.2). */
export type Team = {
  readonly name: string;
  /** Three Character cards, as in `BB-343`. */
  readonly characters: readonly string[];
  /** Print numbers of the six BakuCores, 1 to 52. */
  readonly cores: readonly number[];
  /** Cards in the deck. */
  readonly deck: number;
};

const TYPES: readonly CoreType[] = ['FT', 'FF', 'SD', 'MS', 'HE'];

/**
 * Why a team is not legal, each as a plain sentence with its rule; empty when it is (1.1.2, 1.2.3, 2.11).
 */
export function teamFaults(team: Team): readonly string[] {
  const faults: string[] = [];
  const characters: CharacterCard[] = [];
  for (const id of team.characters) {
    const card = characterCard(id);
    if (card === undefined) faults.push(`There is no Character card ${id}; cards are written as BB-343.`);
    else characters.push(card);
  }
  if (team.characters.length !== 3) {
    faults.push(`A team has 3 Bakugan, this one has ${team.characters.length} (1.1.2).`);
  }
  const identities = new Set(characters.map((card) => `${card.factions.join('/')} ${card.name}`));
  if (identities.size < characters.length) {
    faults.push('The three Bakugan of a team must be different ones (1.1.2).');
  }
  const unknown = team.cores.filter((no) => corePrint(no) === undefined);
  for (const no of unknown) faults.push(`There is no BakuCore number ${no}; numbers go from 1 to 52.`);
  if (team.cores.length !== 6) {
    faults.push(`A team has 6 BakuCores, this one has ${team.cores.length} (1.1.2).`);
  }
  if (team.deck !== 40) faults.push(`A deck has exactly 40 cards, this one has ${team.deck} (1.1.2).`);
  if (characters.length !== 3 || team.cores.length !== 6 || unknown.length > 0) return faults;
  const wanted = characters.flatMap((card) => card.indicators);
  const brought = team.cores.map((no) => corePrint(no)?.type);
  for (const type of TYPES) {
    const want = wanted.filter((one) => one === type).length;
    const have = brought.filter((one) => one === type).length;
    if (want !== have) {
      faults.push(
        `The Character cards ask for ${want} BakuCores of type ${type}, there are ${have} (1.2.3).`,
      );
    }
  }
  return faults;
}
