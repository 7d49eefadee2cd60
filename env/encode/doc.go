// Package encode turns a position into the inputs of a network and moves into policy indices, and back.
// There is one encoder for self-play, training and play. It imports env only.
//
// # Inputs
//
// The board is never flipped: bit 0 of a mask is a1 whoever moves, since the armies share nothing that
// could be mirrored. A row of a Batch holds NumPlanes masks and NumScalars integers with scales. Where no version is
// named, an input is there since version 1; a network of an older version reads the first inputs only.
//
//	plane  0   Pawns
//	plane  1   Knights
//	plane  2   Bishops
//	plane  3   Rooks
//	plane  4   Queens
//	plane  5   King
//	plane  6   Chariots
//	plane  7   Horses
//	plane  8   Cannons
//	plane  9   Elephants
//	plane  10  Advisors
//	plane  11  Soldiers
//	plane  12  Chancellor
//	plane  13  West may castle kingside
//	plane  14  West may castle queenside
//	plane  15  East to move
//	plane  16  Soldier drop region
//	plane  17  Elephant region
//	plane  18  Advisor region
//	plane  19  own pieces that hang (version 2)
//	plane  20  enemy pieces that hang (version 2)
//	plane  21  own pieces that are pinned (version 2)
//	plane  22  squares of checking moves (version 2)
//	plane  23  pieces that can be taken (version 2)
//
//	scalar 0   plies without progress / no_progress_plies
//	scalar 1   earlier occurrences (at most 2) / 2
//	scalar 2   Soldiers in hand / 16
//	scalar 3   horse: leaper
//	scalar 4   cannon: janggi
//	scalar 5   elephant: leaper
//	scalar 6   advisor: king
//	scalar 7   soldier_promotion: must
//	scalar 8   soldier_promotion: may
//	scalar 9   soldier_promotion: never
//	scalar 10  soldier_promotes_to: Chariot
//	scalar 11  soldier_promotes_to: Horse
//	scalar 12  soldier_promotes_to: Cannon
//	scalar 13  soldier_promotes_to: Elephant
//	scalar 14  soldier_promotes_to: Advisor
//	scalar 15  pawn_promotes_to: Queen
//	scalar 16  pawn_promotes_to: Rook
//	scalar 17  pawn_promotes_to: Bishop
//	scalar 18  pawn_promotes_to: Knight
//	scalar 19  faceoff: loses
//	scalar 20  faceoff: illegal
//	scalar 21  faceoff: none
//	scalar 22  faceoff_lines: file-or-rank
//	scalar 23  campmate
//	scalar 24  stalemate: loss
//	scalar 25  perpetual check: loss
//	scalar 26  a Soldier's step resets the ply count
//	scalar 27  no_progress_plies / 1000
//	scalar 28  Pawns on the board / 8 (version 2)
//	scalar 29  Knights on the board / 4 (version 2)
//	scalar 30  Bishops on the board / 4 (version 2)
//	scalar 31  Rooks on the board / 4 (version 2)
//	scalar 32  Queens on the board / 4 (version 2)
//	scalar 33  Chariots on the board / 4 (version 2)
//	scalar 34  Horses on the board / 4 (version 2)
//	scalar 35  Cannons on the board / 4 (version 2)
//	scalar 36  Elephants on the board / 4 (version 2)
//	scalar 37  Advisors on the board / 4 (version 2)
//	scalar 38  Soldiers on the board / 8 (version 2)
//	scalar 39  in check (version 2)
//	scalar 40  campmate_rank: ranks nearer than the last / 6 (version 3)
//
// Planes 0 to 12 hold pieces; castling rights and the army to move fill their planes; regions are the squares on
// which a Soldier may be dropped, an Elephant or an Advisor may land. A scalar is 0 or 1 where no scale is named,
// and a count beyond the scale counts as the scale; the plies' scale is no_progress_plies. What Soldiers promote to
// is all 0 where they never do, and faceoff_lines is 0 where there is no faceoff. An input of a rule field that came later
// than the first rule sets is 0 where the field has the value that it has when absent.
//
// A piece covers a square, other than its own, where it could capture if an enemy piece that is no Cannon stood
// there and all else stayed as it is: as far as its own movement under the rule set goes, with no regard to
// checks, pins and faceoffs. So a Cannon covers the squares that it sees over exactly one piece, under cannon:
// janggi only if that piece is no Cannon; a blockable Horse or Elephant none behind an occupied square next to it;
// Elephants and Advisors none outside their region; Pawns the two squares diagonally ahead, Soldiers the one ahead
// and the two beside; royals the squares around them.
//
// A piece hangs that the other army covers and its own does not; royals never hang. A piece of the mover, not the
// royal, is pinned if, taken off the board, it would let an enemy piece cover the royal that does not cover it
// now, or the royals would face each other (faceoff_lines; where there is no faceoff, never). Drops, castlings and
// promotions are legal moves, a castling landing where the King does; a move gives check if the enemy's royal is
// covered after it. A faceoff is no check.
//
// Everything but scalar 1 follows from the position and the rule set, so equal positions have equal rows.
//
// Every input, scalar divided by scale, lies in [0,1]. The first PlaneScalars scalars are fed to a
// network as constant planes, the others as one vector. The move number, the rule set's name,
// its start position and the letter of the Horse are not inputs.
//
// # Policy indices, the same in all versions
//
// An index is plane*64 + from-square, for drops and castling plane*64 + target square. The plane says
// how a piece moves, whichever piece it is:
//
//	plane  0-55  as a queen: direction*7 + distance-1, directions N NE E SE S SW W NW
//	plane  56-63 as a knight: NNE ENE ESE SSE SSW WSW WNW NNW
//	plane  64    a Soldier's drop
//	plane  65-79 promotions: 65 + 5*step + piece, where step is 0, 1, 2 for towards file a, straight on,
//	             towards file h, and piece counts Queen, Rook, Bishop, Knight for Pawns and Chariot,
//	             Horse, Cannon, Elephant, Advisor for Soldiers
//	plane  80    castling
//
// Pawns promote from rank 7 and Soldiers from ranks 1 (sideways, where promotion is optional) and 2, so
// the two never share an index. All moves of all rule sets have an index, and no two the same.
package encode
