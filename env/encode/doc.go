// Package encode turns a position into the inputs of a network and moves into policy indices, and back.
// There is one encoder for self-play, training and play. It imports env and eval only.
//
// # Inputs, version 2
//
// The board is never flipped: bit 0 of a mask is a1 whoever moves, since the armies share nothing that
// could be mirrored. A row of an Batch holds NumPlanes masks and NumScalars integers with scales.
//
//	plane  0-5   Pawns, Knights, Bishops, Rooks, Queens, King      (env.Piece p is plane p-1)
//	plane  6-12  Chariots, Horses, Cannons, Elephants, Advisors, Soldiers, Chancellor
//	plane  13    full: the West may castle kingside; else empty
//	plane  14    full: the West may castle queenside; else empty
//	plane  15    full: the East is to move; else empty
//	plane  16    squares on which a Soldier may be dropped
//	plane  17    squares on which an Elephant may land
//	plane  18    squares on which an Advisor may land
//	plane  19    pieces of the mover that hang
//	plane  20    pieces of the other army that hang
//	plane  21    pieces of the mover that are pinned
//	plane  22    squares on which a legal move lands that gives check
//	plane  23    pieces that a legal move takes
//
//	scalar 0     plies without progress, at most the limit   / no_progress_plies
//	scalar 1     earlier occurrences of the position, at most 2   / 2
//	scalar 2     Soldiers in hand   / 16
//	scalar 3     horse is a leaper   (scalars 3 to 26 are 0 or 1)
//	scalar 4     cannon is janggi
//	scalar 5     elephant is a leaper
//	scalar 6     advisor steps as a king
//	scalar 7-9   soldier_promotion: must, may, never
//	scalar 10-14 soldier_promotes_to: Chariot, Horse, Cannon, Elephant, Advisor (all 0 for never)
//	scalar 15-18 pawn_promotes_to: Queen, Rook, Bishop, Knight
//	scalar 19-21 faceoff: loses, illegal, none
//	scalar 22    faceoff_lines is file-or-rank (0 where there is no faceoff)
//	scalar 23    campmate
//	scalar 24    stalemate is a loss
//	scalar 25    perpetual check is a loss
//	scalar 26    a Soldier's step forward resets the ply count
//	scalar 27    no_progress_plies   / 1000
//	scalar 28-32 Pawns, Knights, Bishops, Rooks, Queens on the board, at most the scale   / 8 for Pawns, else 4
//	scalar 33-38 Chariots, Horses, Cannons, Elephants, Advisors, Soldiers, likewise   / 8 for Soldiers, else 4
//	scalar 39    the mover is in check (0 or 1)
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
// Inputs 19 and 28 onward came with version 2. A network of version 1 reads planes 0-18 and scalars 0-27.
// Everything but scalar 1 follows from the position and the rule set, so equal positions have equal rows.
//
// Every input, scalar divided by scale, lies in [0,1]. The first PlaneScalars scalars are fed to a
// network as constant planes, the other VectorLen as one vector. The move number, the rule set's name,
// its start position and the letter of the Horse are not inputs.
//
// # Policy indices, versions 1 and 2
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
